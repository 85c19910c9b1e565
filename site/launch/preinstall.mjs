/**
 * Runs before any package manager installs. `bun install` reads bun.lock and `npm install` works beside it; pnpm and Yarn
 * would resolve every package anew and then refuse the build scripts that PostgreSQL and the pictures need.
 */
const [manager = ''] = (process.env.npm_config_user_agent ?? '').split('/');

if (manager === 'pnpm' || manager === 'yarn') {
  console.log(
    `\n  Nothing needs to be installed by hand: type \`npx -y bun start\` or \`${manager} start\`, which brings the packages itself.\n`,
  );
  process.exit(1);
}
