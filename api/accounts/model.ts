import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { roles } from '#db/schema/accounts.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

/** §3 User, as only that person sees it. */
export const User = t.Object({
  id: integer(),
  username: t.String(),
  displayName: nullable(t.String()),
  email: nullable(t.String()),
  emailVerified: t.Boolean({ description: 'The person has proven to own the address.' }),
  role: oneOf(roles),
  language: oneOf(languages),
  profileImageUrl: nullable(t.String()),
  createdAt: t.String({ description: 'ISO 8601 in UTC' }),
});
export type User = typeof User.static;

/** Bounds of what is read at all; what is right is said by `rules.ts`, with a code of its own. */
const Input = t.String({ maxLength: 1000, error: 'Is too long.' });

/** §3 Registration. Roles are not among its fields: an operator sets them (decision S1). */
export const Registration = t.Object({
  email: Input,
  username: Input,
  displayName: t.Optional(nullable(Input)),
  password: Input,
  confirmPassword: Input,
  language: t.Optional(oneOf(languages)),
});
export type Registration = typeof Registration.static;

export const Login = t.Object({ email: Input, password: Input });
export type Login = typeof Login.static;

/** What a person may change; a new password needs the current one. Fields left out stay as they are. */
export const ProfileChange = t.Object({
  displayName: t.Optional(nullable(Input)),
  language: t.Optional(oneOf(languages)),
  currentPassword: t.Optional(Input),
  newPassword: t.Optional(Input),
  confirmPassword: t.Optional(Input),
});
export type ProfileChange = typeof ProfileChange.static;

export const UserAnswer = t.Object({ user: User });
export const SessionAnswer = t.Object({
  token: t.String({ description: 'Send it as Bearer. The same token is set as an HttpOnly cookie.' }),
  user: User,
});
export type SessionAnswer = typeof SessionAnswer.static;

/** Of a letter's link. */
const Token = t.String({ maxLength: 200 });
export const Forgotten = t.Object({ email: Input });
export const PasswordReset = t.Object({ token: Token, newPassword: Input, confirmPassword: Input });
export type PasswordReset = typeof PasswordReset.static;
export const EmailVerification = t.Object({ token: Token });
export const LetterSent = t.Object({ sent: t.Literal(true) });
export const ResetDone = t.Object({ reset: t.Literal(true) });
export const Verified = t.Object({ verified: t.Literal(true) });

/** A device on which the account is logged in. */
export const DeviceItem = t.Object({
  id: t.String(),
  current: t.Boolean({ description: 'The one that asks.' }),
  userAgent: nullable(t.String()),
  address: nullable(t.String()),
  createdAt: t.String(),
  expiresAt: t.String(),
});
export type DeviceItem = typeof DeviceItem.static;
export const Devices = t.Object({ devices: t.Array(DeviceItem) });
export const DeviceParams = t.Object({ id: t.String({ pattern: '^[0-9a-f]{16}$' }) });

export const AccountDeletion = t.Object({ currentPassword: Input });
export const Deleted = t.Object({ deleted: t.Literal(true) });

export const LoggedOut = t.Object({ loggedOut: t.Literal(true) });

/** More than anybody chooses by hand; a body has its bound. */
const StarIdList = t.Array(integer({ minimum: 1, maximum: 2_147_483_647 }), { maxItems: 1000 });
export const Follows = t.Object({ starIds: t.Array(integer()) });
/** What changed on a device; a star that is both stays out. */
export const FollowsChange = t.Object({ add: StarIdList, remove: StarIdList });
export type FollowsChange = typeof FollowsChange.static;

/** §7 follow. With `following` a repeat changes nothing; `followType` alone toggles at each call (decision S5). */
export const FollowChange = t.Object(
  {
    followType: t.Optional(t.Literal('follow', { error: 'Must be: follow.' })),
    following: t.Optional(t.Boolean()),
  },
  { minProperties: 1, error: 'Needs following or followType.' },
);
export const FollowState = t.Object({ isFollowing: t.Boolean(), followerCount: integer() });
export type FollowState = typeof FollowState.static;
