import type { EventType } from '#db/schema/events.ts';
import type { IconName } from '../frame/icons.ts';

/** The icon of each event type (look §2.4). */
export const typeIcons: Record<EventType, IconName> = {
  comeback: 'disc',
  concert: 'mic',
  fan_meeting: 'handHeart',
  tv_show: 'tv',
  award_show: 'trophy',
  streaming: 'radio',
  birthday: 'cake',
  anniversary: 'calendarHeart',
  release: 'album',
  other: 'calendarDays',
};

/** The emoji before the type word of trending rows (decision E9); other types have none. */
export const typeEmoji: Partial<Record<EventType, string>> = {
  comeback: '💿',
  concert: '🎤',
  fan_meeting: '💝',
  tv_show: '📺',
  award_show: '🏆',
};
