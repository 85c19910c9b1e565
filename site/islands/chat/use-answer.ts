import { useCallback, useEffect, useRef, useState } from 'react';

/** What a call answers, asked once when shown and again on wish. Undefined while it is on its way. */
export function useAnswer<Answer>(read: () => Promise<Answer>) {
  const reader = useRef(read);
  reader.current = read;
  const [answer, setAnswer] = useState<Answer | undefined>();
  const [failed, setFailed] = useState(false);
  const ask = useCallback(async () => {
    setFailed(false);
    try {
      setAnswer(await reader.current());
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => void ask(), [ask]);
  return { answer, failed, ask };
}
