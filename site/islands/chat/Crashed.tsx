import { useState } from 'react';
import type { FallbackProps } from 'react-error-boundary';
import { usePlace } from './context.ts';
import { fill } from './words.ts';

/** §9: error retries. */
const most = 3;
let tried = 0;

/** The chat's own failure: three tries, then only a full reload (§4 Error boundary). The page around it stays. */
export function Crashed({ resetErrorBoundary }: FallbackProps) {
  const { words } = usePlace();
  const [left] = useState(most - tried);
  return (
    <div className="chat-crashed" role="alert">
      <h3>{words.crashed}</h3>
      {left > 0 ? (
        <button
          type="button"
          className="button button-primary"
          onClick={() => {
            tried += 1;
            resetErrorBoundary();
          }}
        >
          {fill(words.crashRetry, { count: left })}
        </button>
      ) : (
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          {words.reload}
        </button>
      )}
    </div>
  );
}
