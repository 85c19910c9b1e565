/** One event of a `text/event-stream`. */
export interface ServerEvent {
  name: string;
  data: string;
  id: string | undefined;
}

/** Events that came together and are taken in at once; `id` is the last one's. */
export interface EventRun {
  name: string;
  data: string[];
  id: string | undefined;
}

/** Joins messages that follow one another: a log that is put in order and drawn for each of thousands stands still. */
export function runsOf(events: readonly ServerEvent[]): EventRun[] {
  const runs: EventRun[] = [];
  for (const { name, data, id } of events) {
    const last = runs.at(-1);
    if (name === 'message' && last?.name === name) {
      last.data.push(data);
      last.id = id ?? last.id;
    } else runs.push({ name, data: [data], id });
  }
  return runs;
}

/** Cuts a growing text into the events that are complete (HTML standard §9.2.6); a comment alone is none. */
export class EventStreamParser {
  #incomplete = '';

  read(chunk: string): ServerEvent[] {
    const text = this.#incomplete + chunk;
    // A lone CR at the end may be half of a CRLF.
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r(?!\n)/);
    this.#incomplete = blocks.pop() ?? '';
    return blocks.flatMap(parse);
  }
}

function parse(block: string): ServerEvent[] {
  let name = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  return data.length > 0 ? [{ name, data: data.join('\n'), id }] : [];
}
