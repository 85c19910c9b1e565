import type { VerificationItem } from '#api/admin/model.ts';
import { Icon } from '../Icon.tsx';
import type { OwnWords } from './words.ts';

/** In the order in which a person would ask; a check that did not apply is not there. */
const names = [
  'dateQuoted',
  'dateNamed',
  'weekdayRight',
  'inFuture',
  'timeNamed',
  'venueNamed',
  'typeNamed',
  'starTagged',
] as const;

/** The checks that the confidence was computed from, each passed or not. */
export function Checks({ checks, words }: { checks: VerificationItem['checks']; words: OwnWords }) {
  const made = names.filter((name) => name in checks);
  if (made.length === 0) return null;
  return (
    <section className="verify-checks">
      <h3>{words.checks}</h3>
      <ul>
        {made.map((name) => (
          <li key={name} data-check={name} data-passed={checks[name]}>
            <Icon name={checks[name] ? 'check' : 'x'} size={16} />
            {words[`${checks[name] ? 'check' : 'checkNot'}_${name}`]}
          </li>
        ))}
      </ul>
    </section>
  );
}
