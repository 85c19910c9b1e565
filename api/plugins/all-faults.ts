import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { Elysia } from 'elysia';
import { type BadInput, faultsIn, refuseFaults } from '../errors.ts';
import { isObject } from '../input.ts';
import { inputFault } from '../validation-fault.ts';

interface Reading {
  shape: TSchema;
  /** Reads the body, of which fields that have not their shape are left out. @throws BadInput, SeveralFaults */
  rules: (body: Record<string, unknown>) => unknown;
}

/** Faults that are told of one body. */
const mostFaults = 20;
const startOf = (field = ''): string => field.split('.')[0] ?? '';

/**
 * `allFaults: { shape, rules }` on a route of editors, behind its `role`: what is wrong by shape and what is wrong by the rules of its
 * fields is told at once, where the check of the shape alone would hide the rest.
 */
export const allFaults = new Elysia({ name: 'all-faults' }).macro({
  allFaults: (reading: Reading) => {
    const checker = TypeCompiler.Compile(reading.shape);
    return { transform: ({ body }: { body: unknown }) => refuseFaults(faultsOf(checker, reading, body)) };
  },
});

function faultsOf(checker: TypeCheck<TSchema>, { shape, rules }: Reading, sent: unknown): BadInput[] {
  if (!isObject(sent)) return [];
  // Who sends back what was read sends more, which Elysia drops.
  const body = Object.fromEntries(
    Object.entries(sent).filter(([name]) => Object.hasOwn(shape.properties, name)),
  );
  const byField = new Map<string, BadInput>();
  for (const error of checker.Errors(body)) {
    const fault = inputFault('body', error);
    if (fault.field !== undefined && !byField.has(fault.field)) byField.set(fault.field, fault);
    if (byField.size === mostFaults) break;
  }
  const misshapen = new Set([...byField.keys()].map(startOf));
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !misshapen.has(name)));
  try {
    rules(rest);
  } catch (error) {
    for (const fault of faultsIn(error))
      if (!misshapen.has(startOf(fault.field))) byField.set(fault.field ?? '', fault);
  }
  return [...byField.values()].slice(0, mostFaults);
}
