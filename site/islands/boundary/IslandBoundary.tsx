/** An island's net: what crashes in it becomes a card with a way on, and the page around it stays (§4 Error boundary). */
import { type ReactNode, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import type boundary from '#content/locales/en/boundary.json';
import { torn } from '../../lib/pages/torn-constellation.ts';

type BoundaryWords = typeof boundary;

/** §9 Error retries: after these only a full reload is offered. */
const most = 3;

interface Props {
  words: BoundaryWords;
  /** The heading that fits below the page's own: h3, where the island's place has a heading, else h2. */
  heading?: 'h2' | 'h3';
  children: ReactNode;
}

/** Wrap an island's root in it: `<IslandBoundary words={words}><Chat /></IslandBoundary>`. */
export function IslandBoundary({ words, heading = 'h3', children }: Props) {
  const [tried, setTried] = useState(0);
  return (
    <ErrorBoundary
      onError={(error) => console.error(error)}
      onReset={() => setTried((times) => times + 1)}
      fallbackRender={({ resetErrorBoundary }) => (
        <Crashed words={words} heading={heading} left={most - tried} onRetry={resetErrorBoundary} />
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

interface CrashedProps {
  words: BoundaryWords;
  heading: 'h2' | 'h3';
  left: number;
  onRetry: () => void;
}

function Crashed({ words, heading: Heading, left, onRetry }: CrashedProps) {
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
        <path d={torn.joints} stroke="var(--ctl)" />
        <path d={torn.tear} stroke="var(--bad)" strokeDasharray="3 5" strokeLinecap="round" />
        {torn.stars.map(({ x, y, r, hollow }) => (
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
      <p>{left > 0 ? words.crashText : words.crashFinal}</p>
      {left > 0 ? (
        <button type="button" className="button button-primary" onClick={onRetry}>
          {words.crashRetry.replace('{{count}}', String(left))}
        </button>
      ) : (
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          {words.crashReload}
        </button>
      )}
    </div>
  );
}
