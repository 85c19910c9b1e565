import type { VerificationStats } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { wholeNumber } from '../../i18n/format.ts';
import type { VerificationWords } from './words.ts';

/** §2: pending, verified and rejected in the last 7 days, average confidence. */
export function Figures({
  lang,
  words,
  stats,
}: {
  lang: Lang;
  words: VerificationWords;
  stats: VerificationStats;
}) {
  const { pending, verifiedLast7Days, rejectedLast7Days, averageConfidence } = stats;
  return (
    <section aria-label={words.figures}>
      <dl className="figures">
        {(
          [
            ['pending', pending],
            ['verifiedLast7Days', verifiedLast7Days],
            ['rejectedLast7Days', rejectedLast7Days],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd className="tabular" data-figure={name}>
              {wholeNumber(lang, value)}
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.averageConfidence}</dt>
          <dd className="tabular" data-figure="averageConfidence">
            {pending === 0 ? '–' : averageConfidence}
            {pending > 0 && <small>%</small>}
          </dd>
        </div>
      </dl>
    </section>
  );
}
