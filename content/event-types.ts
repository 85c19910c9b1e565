import { keysOf } from './keys.ts';

/** What one type of event is everywhere: its row of the table below. Its word is `type_<key>` in `events.json` of each language. */
interface EventTypeEntry {
  /** Usual length of an event without an end (decision E2). */
  minutes: number;
  /** Of its category in a new database, on light (look §2.4). */
  color: string;
  /** A name of `site/components/common/icons.ts` (look §2.4). */
  icon: string;
  /** Stands before the word in trending rows (decision E9); a type without one has its icon there too. */
  emoji?: string;
  /** Type of schema.org when it is not plainly `Event`. */
  schemaType?: string;
  /** What is broadcast has a channel, not a place. */
  isBroadcast?: true;
  /** Other words for it that editors and the model are understood by (decision E1), small and without spaces and hyphens. */
  synonyms?: readonly string[];
  /** A sentence of a Korean or English source that speaks of such an event. */
  evidence: RegExp;
}

/** The only list of event types (decision E1). Order is the order of menus. */
export const eventTypeEntries = {
  comeback: {
    minutes: 60,
    color: '#d6336c',
    icon: 'disc',
    emoji: '💿',
    evidence: /컴백|돌아온|귀환|발매|comeback|return/i,
  },
  concert: {
    minutes: 150,
    color: '#2f6bff',
    icon: 'mic',
    emoji: '🎤',
    schemaType: 'MusicEvent',
    evidence: /콘서트|공연|투어|무대|리사이틀|concert|tour|live/i,
  },
  fan_meeting: {
    minutes: 120,
    color: '#d17100',
    icon: 'handHeart',
    emoji: '💝',
    evidence: /팬\s*미팅|팬\s*콘|팬\s*사인|감상회|fan\s*-?(?:meet|sign|con)/i,
  },
  tv_show: {
    minutes: 80,
    color: '#0a8f7a',
    icon: 'tv',
    emoji: '📺',
    schemaType: 'BroadcastEvent',
    isBroadcast: true,
    evidence: /방송|방영|출연|드라마|예능|첫방|episode|drama|show/i,
  },
  award_show: {
    minutes: 240,
    color: '#a07800',
    icon: 'trophy',
    emoji: '🏆',
    evidence: /시상식|어워[즈드]|대상|award/i,
  },
  streaming: {
    minutes: 60,
    color: '#7a4fd6',
    icon: 'radio',
    isBroadcast: true,
    evidence: /스트리밍|생중계|중계|라이브|stream|live/i,
  },
  birthday: { minutes: 1440, color: '#d6409f', icon: 'cake', evidence: /생일|birthday/i },
  anniversary: {
    minutes: 1440,
    color: '#3b7d3b',
    icon: 'calendarHeart',
    evidence: /주년|기념|anniversary/i,
  },
  release: {
    minutes: 60,
    color: '#0b7fab',
    icon: 'album',
    synonyms: ['album'],
    evidence: /발매|공개|출시|선보|release|drop/i,
  },
  other: { minutes: 120, color: '#6b6f7b', icon: 'calendarDays', synonyms: ['others'], evidence: /./ },
} as const satisfies Record<string, EventTypeEntry>;

export type EventType = keyof typeof eventTypeEntries;
export const eventTypes = keysOf(eventTypeEntries);

/** The entry of a type; one that says nothing of a property has it as undefined. */
export const eventTypeEntry = (type: EventType): EventTypeEntry => eventTypeEntries[type];

const bare = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');

/** The type that somebody means by its name in any spelling (`fanMeeting`, `Fan meeting`) or by another word for it. */
export function readEventType(text: string): EventType | undefined {
  const word = bare(text);
  return eventTypes.find((type) => bare(type) === word || eventTypeEntry(type).synonyms?.includes(word));
}
