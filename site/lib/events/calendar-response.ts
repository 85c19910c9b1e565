/** A calendar file as an answer that the page cache may keep. */
export const calendarResponse = (file: string): Response =>
  new Response(file, { headers: { 'content-type': 'text/calendar; charset=utf-8' } });
