/**
 * Asks for what the chat is made of at once and side by side. Otherwise a slow phone would find one file inside the other,
 * a journey to the server for each. Has no imports of its own, so that nothing is waited for.
 */
for (const part of [
  import('../../islands/chat/mount.tsx'),
  import('react-dom/client'),
  import('react'),
  import('react/jsx-runtime'),
  import('../../client/api.ts'),
]) {
  // Whoever needs it says that it failed.
  part.catch(() => undefined);
}
