import { expect, test } from 'bun:test';
import { makeSlots, TooBusy } from '#api/slots.ts';

test('in a crowd the newest goes first, and the oldest beyond so many is given up', async () => {
  const slots = makeSlots(1, 2);
  const order: string[] = [];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const work = (name: string) =>
    slots.run(async () => {
      order.push(name);
      if (name === 'first') await held;
    });
  const first = work('first');
  const old = work('old').catch((error: unknown) => error);
  const others = [work('middle'), work('new')];
  expect(await old).toBeInstanceOf(TooBusy);
  letGo();
  await Promise.all([first, ...others]);
  expect(order).toEqual(['first', 'new', 'middle']);
});

test('without a crowd everybody waits in order', async () => {
  const slots = makeSlots(1);
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4].map((n) => slots.run(async () => void order.push(n))));
  expect(order).toEqual([1, 2, 3, 4]);
});
