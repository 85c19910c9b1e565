/** An island's error boundary: a crash in it becomes a card that offers retries, and the page around it stays (§4). */
import { type ReactNode, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import type boundary from '#content/locales/en/boundary.json';
import { tornConstellation } from '../../lib/pages/torn-constellation.ts';

type BoundaryWords = typeof boundary;

/** §9 Error retries: after these only a full reload is offered. */
const maxRetries = 3;

interface Props {
  words: BoundaryWords;
  /** The heading that fits below the page's own: h3, where the island's place has a heading, else h2. */
  heading?: 'h2' | 'h3';
  children: ReactNode;
}

/** Wrap an island's root in it: `<IslandBoundary words={words}><Chat /></IslandBoundary>`. */
export function IslandBoundary({ words, heading = 'h3', children }: Props) {
  const [retryCount, setRetryCount] = useState(0);
  return (
    <ErrorBoundary
      onError={(error) => console.error(error)}
      onReset={() => setRetryCount((times) => times + 1)}
      fallbackRender={({ resetErrorBoundary }) => (
        <Crashed
          words={words}
          heading={heading}
          retriesLeft={maxRetries - retryCount}
          onRetry={resetErrorBoundary}
        />
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

interface CrashedProps {
  words: BoundaryWords;
  heading: 'h2' | 'h3';
  retriesLeft: number;
  onRetry: () => void;
}

function Crashed({ words, heading: Heading, retriesLeft, onRetry }: CrashedProps) {
  return (
    <div className="state" role="alert">
      <svg
        className="constellation"
        width="160"
        height="110"
        viewBox="0 0 160 110"
        aria-hidden="true"
        fill="none"
        strokeWidth="2"
      >
        <path d={tornConstellation.joints} stroke="var(--ctl)" />
        <path d={tornConstellation.tear} stroke="var(--bad)" strokeDasharray="3 5" strokeLinecap="round" />
        {tornConstellation.stars.map(({ x, y, r, hollow }) => (
          <circle
            key={x}
            cx={x}
            cy={y}
            r={r}
            fill={hollow ? 'var(--bg)' : 'var(--ink)'}
            stroke={hollow ? 'var(--ink)' : undefined}
          />
        ))}
      </svg>
      <Heading>{words.crashTitle}</Heading>
      <p>{retriesLeft > 0 ? words.crashText : words.crashFinal}</p>
      {retriesLeft > 0 ? (
        <button type="button" className="button button-primary" onClick={onRetry}>
          {words.crashRetry.replace('{{count}}', String(retriesLeft))}
        </button>
      ) : (
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          {words.crashReload}
        </button>
      )}
    </div>
  );
}
