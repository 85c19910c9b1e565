/** Where a fact is from, for readers: a name, and an address where there is one. */
export interface FactSource {
  name: string;
  url?: string;
  /** The day on which it was read, `YYYY-MM-DD`. */
  readOn?: string;
}
