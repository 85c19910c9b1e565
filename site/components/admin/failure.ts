import type { Words } from '../../i18n/resources.ts';
import type { T } from '../../i18n/words.ts';
import type { ApiRefusal } from '../../lib/http/api-call.ts';

type FieldWord = Extract<keyof Words['admin'], `field_${string}`>;

/** The name of a field as the forms call it. */
export function labelOf(t: T, field: string): string {
  if (field === 'allDay') return t('admin:allDay');
  if (field === 'cancelled') return t('admin:cancelledEvent');
  const own = field.split('.').findLast((part) => /^[a-zA-Z]{3,}$/.test(part)) ?? field;
  const key = `admin:field_${own}` as `admin:${FieldWord}`;
  const label = t(key, { language: '' });
  return label === key || label === `field_${own}` ? field : label;
}

/** What a call of the administration said no to, in words. */
export function failureOf(t: T, { status, error: { code, field } }: ApiRefusal): string {
  if (status === 400 && code === 'address') return t('admin:failed_notPublic');
  if (status === 400 && field === 'birthDate' && code === 'future') return t('admin:failed_bornLater');
  if (status === 400 && code === 'before_birth') return t('admin:failed_debutFirst');
  if (status === 400 && field) return t('admin:failed_field', { field: labelOf(t, field) });
  if (status === 403) return t('admin:adminOnly');
  if (status === 404) return t('admin:failed_missing');
  if (status === 409) return t('admin:failed_conflict');
  if (status === 429) return t('admin:failed_limit');
  return t('admin:failed');
}
