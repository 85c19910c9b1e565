import { printable } from '../printable.ts';

/** What a long command tells while it works, on standard error. */
export interface Report {
  /** What it is at; told in place on a terminal, else now and then. */
  step(text: string): void;
  /** Something that the operator should read. */
  note(text: string): void;
  /** Clears the line of steps. */
  end(): void;
}

/** Milliseconds between two lines where there is no terminal: a log should tell that it goes on, and little more. */
const pause = 10_000;

/** Names that come from a backup are shown without what a terminal would obey. */
export function reportTo(stream: { isTTY?: boolean; write(text: string): unknown }): Report {
  let toldAt = Date.now();
  const clear = () => {
    if (stream.isTTY) stream.write('\r\x1b[K');
  };
  return {
    step(text) {
      if (stream.isTTY) stream.write(`\r\x1b[K  ${printable(text)}`);
      else if (Date.now() - toldAt >= pause) {
        toldAt = Date.now();
        stream.write(`  ${printable(text)}\n`);
      }
    },
    note(text) {
      clear();
      stream.write(`${printable(text)}\n`);
    },
    end: clear,
  };
}
