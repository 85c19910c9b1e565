/** Reload on the full-screen error page clears what this browser kept, in case that is what broke the page (§2). */
document.querySelector('[data-reload]')?.addEventListener('click', (event) => {
  event.preventDefault();
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[storage].clear();
    } catch {
      // A browser that keeps nothing reloads all the same.
    }
  }
  location.reload();
});
