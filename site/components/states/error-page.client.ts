/** Reload on the full-screen error page clears what this browser kept, in case that is what broke the page (§2). */
document.querySelector('[data-reload]')?.addEventListener('click', (event) => {
  event.preventDefault();
  localStorage.clear();
  sessionStorage.clear();
  location.reload();
});
