import { isBefore, isPartialDate } from '#content/partial-date.ts';
import type { StoredDocument } from '#db/queries/directory/document.ts';
import { BadInput, readAll, refuseFaults } from '../errors.ts';
import { readOwnFields, type StarInput, today } from './read-document.ts';

/** What must hold between the fields of a star. Nothing here asks the database. */

/** Dates fit each other: nobody is born in the future, debuts before the birth or ends before the debut. @throws BadInput */
export function refuseImpossibleDates({
  birthDate,
  debutDate,
  endDate,
}: Pick<StoredDocument, 'birthDate' | 'debutDate' | 'endDate'>): void {
  const faults: BadInput[] = [];
  if (birthDate && isBefore(today(), birthDate))
    faults.push(new BadInput('birthDate', 'Must not be in the future.', 'future'));
  if (birthDate && debutDate && isBefore(debutDate, birthDate))
    faults.push(new BadInput('debutDate', 'Must not be before the birth.', 'before_birth'));
  const start = debutDate ?? birthDate;
  if (start && endDate && isBefore(endDate, start))
    faults.push(new BadInput('endDate', 'Must not be before the start.', 'order'));
  refuseFaults(faults);
}

/**
 * All that is wrong with a star's own fields by themselves, before anything is looked up.
 * @param isNew it needs a name then
 * @throws BadInput, SeveralFaults
 */
export function refuseFaultyStar(input: StarInput, isNew: boolean): void {
  const { words, birthDate, debutDate, endDate } = input;
  readAll({
    fields: () => readOwnFields(input),
    names: () => {
      if (isNew && words && !words.ko?.name?.trim() && !words.en?.name?.trim()) throw withoutName();
    },
    dates: () => {
      if (!areRead({ birthDate, debutDate, endDate })) return;
      refuseImpossibleDates({
        ...(birthDate && { birthDate: birthDate.trim() }),
        ...(debutDate && { debutDate: debutDate.trim() }),
        ...(endDate && { endDate: endDate.trim() }),
      });
    },
  });
}

/** What a star without a name in Korean and in English is told. */
export const withoutName = () =>
  new BadInput('words.ko.name', 'Needs a Korean or an English name.', 'required');

/** Whether dates are such. */
const areRead = (dates: Record<string, string | null | undefined>): boolean =>
  Object.values(dates).every((date) => !date?.trim() || isPartialDate(date.trim()));

/** What is said of a star's end fits what is said to have become of it. @throws BadInput */
export function refuseOtherActivity({ activity, endDate }: StarInput): void {
  const date = endDate?.trim();
  if (!date || !isPartialDate(date)) return;
  if (activity === 'ended' && isBefore(today(), date))
    throw new BadInput('endDate', 'Must not be in the future of what has ended.', 'ended_later');
  if (activity === 'active' && isBefore(date, today()))
    throw new BadInput('activity', 'Must not be active after its end.', 'active_ended');
}
