import { site } from '#content/site.ts';
import type { Greeting } from './accounts.ts';

const firstAdmin =
  '  There is no administrator yet. With the same DATABASE_URL, `npx -y bun run admin <e-mail>` makes one.';

const commonPassword =
  '  ADMIN_PASSWORD is easily guessed: log in and change it on the profile before others try.';
const ignoredAdmin =
  '  ADMIN_EMAIL makes the first account only, and there are accounts already: `npx -y bun run admin <e-mail>` makes an admin.';

/**
 * What a person needs to know when the site is up.
 * @param url where it listens @param siteUrl of its pages and letters @param accounts their lines, unless they were shown before
 * @param outbox where letters go that no server takes
 */
export function welcome(
  url: string,
  siteUrl: string,
  accounts: readonly string[],
  outbox: string | undefined,
): string[] {
  const address = siteUrl === url ? [] : [`  Its public address is ${siteUrl} (SITE_URL)`];
  const mail = outbox ? ['', `  Mail is written to ${outbox} (SMTP_URL is not set)`] : [];
  return [
    '',
    `  ${site.name} is running at ${url}`,
    ...address,
    ...accounts,
    ...mail,
    '',
    '  Ctrl-C stops it.',
    '',
  ];
}

/** The accounts as aligned lines after an empty one, and how the first admin is made while there is none. */
export function accountLines({ fan, admin, isAdminIgnored, isPasswordCommon }: Greeting): string[] {
  const rows: [string, string, string][] = [];
  if (fan) rows.push(['Demo fan', fan.email, fan.password]);
  if (admin?.password) rows.push(['Admin', admin.email, `${admin.password}  (shown only this once)`]);
  else if (admin) rows.push(['Admin', admin.email, '(`npx -y bun run admin <e-mail>` sets a new password)']);
  const width = Math.max(...rows.map(([, email]) => email.length));
  const accounts = rows.map(
    ([who, email, secret]) => `  ${who.padEnd(10)} ${email.padEnd(width)}  ${secret}`,
  );
  return [
    '',
    ...accounts,
    ...(admin ? [] : [firstAdmin]),
    ...(isAdminIgnored ? [ignoredAdmin] : []),
    ...(isPasswordCommon ? [commonPassword] : []),
  ];
}
