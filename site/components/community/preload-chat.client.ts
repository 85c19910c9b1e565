/**
 * Asks for what the chat is made of at once and side by side. Otherwise a slow phone would find one file inside the other,
 * a journey to the server for each. Has no imports of its own, so that nothing is waited for.
 */
for (const part of [
  // What others stand on first: each is then a task of its own, and a finger waits for none of them long.
  import('react'),
  import('react/jsx-runtime'),
  import('react-dom/client'),
  import('../../client/api.ts'),
  import('../../islands/chat/mount.tsx'),
]) {
  // Whoever needs it says that it failed.
  part.catch(() => undefined);
}
