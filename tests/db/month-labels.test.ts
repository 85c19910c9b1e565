import { expect, test } from 'bun:test';
import { listLabelsById } from '#db/queries/events/month.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

useDatabase();

test('a cell of the month names the star of an event, and an event without one by its own title or what stands for it', async () => {
  const star = await makeStar({ names: { en: 'ONE' } });
  const ids = [
    await makeEvent({ star, titles: { en: 'Concert' } }),
    await makeEvent({ titles: { en: 'Festival', ms: 'Pesta' } }),
    await makeEvent({ titles: { en: 'Award', ko: '시상식' } }),
    await makeEvent({ titles: { ko: '생방송' } }),
  ];
  const labels = await listLabelsById('ms', ids);
  expect(ids.map((id) => labels.find((each) => each.id === id)?.text)).toEqual([
    'ONE',
    'Pesta',
    'Award',
    '생방송',
  ]);
});
