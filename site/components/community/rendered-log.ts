import type { Message } from '#api/community/model.ts';

/** A message of the rendered log. Those of one person within a minute are a run; a new day has its line. */
interface RenderedMessage {
  message: Message;
  at: Date;
  /** Begins a day in Korea, where readers without JavaScript are taken to be. */
  newDay: boolean;
  first: boolean;
  last: boolean;
}

const maxRunGap = 60_000;
const koreanDay = (at: Date) => Math.floor((at.getTime() + 9 * 3_600_000) / 86_400_000);

/** The messages with what a reader without JavaScript sees of runs and days; the chat makes its own in the visitor's zone. */
export function renderedLog(messages: readonly Message[]): RenderedMessage[] {
  const lines: RenderedMessage[] = [];
  for (const message of messages) {
    const at = new Date(message.createdAt);
    const previous = lines.at(-1);
    const newDay = !previous || koreanDay(previous.at) !== koreanDay(at);
    const first =
      newDay ||
      previous.message.user.id !== message.user.id ||
      at.getTime() - previous.at.getTime() > maxRunGap;
    if (previous && !first) previous.last = false;
    lines.push({ message, at, newDay, first, last: true });
  }
  return lines;
}

type User = Message['user'];

/** What most people are: it is left out of the page, of which it would be a tenth. */
const usual = { profileImageUrl: null, isModerator: false, isDeleted: false } as const;

/** A person as an attribute of the page says it. */
export const writtenUser = (user: User): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(user).filter(([name, value]) => Reflect.get(usual, name) !== value)),
  );

/** The person of such an attribute. */
export const readUser = (written = '{}'): User => ({ ...usual, ...JSON.parse(written) });
