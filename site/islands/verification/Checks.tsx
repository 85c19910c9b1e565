import type { VerificationItem } from '#api/admin/model.ts';
import { Icon } from '../Icon.tsx';
import type { VerificationAreaWords } from './words.ts';

/** In the order in which a person would ask; a check that did not apply is not there. */
const checkNames = [
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
export function Checks({
  checks,
  words,
}: {
  checks: VerificationItem['checks'];
  words: VerificationAreaWords;
}) {
  const appliedChecks = checkNames.filter((name) => name in checks);
  if (appliedChecks.length === 0) return null;
  return (
    <section className="verify-checks">
      <h3>{words.checks}</h3>
      <ul>
        {appliedChecks.map((name) => (
          <li key={name} data-check={name} data-passed={checks[name]}>
            <Icon name={checks[name] ? 'check' : 'x'} size={16} />
            {words[`${checks[name] ? 'check' : 'checkNot'}_${name}`]}
          </li>
        ))}
      </ul>
    </section>
  );
}
