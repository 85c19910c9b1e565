/** The sheet for paper (`PrintSheet.astro`), now that there is somebody who might print. */
for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[media="print"]')) sheet.disabled = false;
