/** Says that a person looks at an event (decision E5); the server counts it once per person and day. */
export function recordView(id: string): void {
  const send = () => {
    if (!document.hidden) navigator.sendBeacon(`/api/events/${id}/view`);
  };
  if (document.hidden) document.addEventListener('visibilitychange', send, { once: true });
  else send();
}
