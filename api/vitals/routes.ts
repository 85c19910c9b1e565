import { Elysia } from 'elysia';
import { refuseForeignOrigin } from '../plugins/origin.ts';
import { answers } from '../shapes.ts';
import { VisitCounted, VisitInput } from './model.ts';
import { countVisit, limitVisits } from './vitals.ts';

/** What browsers tell of few visits (§7 Measuring). A beacon brings cookies along: nobody reads them. */
export const vitalsRoutes = new Elysia({ name: 'vitals' }).post(
  '/vitals',
  ({ body }) => {
    countVisit(body);
    return { counted: true };
  },
  {
    beforeHandle: [refuseForeignOrigin, limitVisits],
    body: VisitInput,
    response: answers(VisitCounted, 400, 403, 429),
    detail: { tags: ['Measuring'], summary: 'How a visit of a page went, without who made it' },
  },
);
