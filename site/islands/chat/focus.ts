/** What had the focus has left the page, or has been switched off. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;
