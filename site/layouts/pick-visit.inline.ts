/**
 * Runs at the end of every page, before its modules: of few visits, and of none of a machine, it is told how they go, with what fails
 * from here on. The file that does so (`components/common/visit.client.ts`) comes once all is there and has come to rest.
 */
declare const __MEASURED_SHARE__: number;

if (!navigator.webdriver && Math.random() < __MEASURED_SHARE__) {
  const failures: Event[] = [];
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, (event) => failures.push(event));
  window.failures = failures;
  window.measure = (load) => addEventListener('load', () => setTimeout(load, 2_000));
}

export {};
