declare namespace App {
  interface Locals {
    /** Of the page, its parts and the error page in its place (`fetch.ts`). */
    lang: import('#content/locales.ts').Lang;
  }
}
