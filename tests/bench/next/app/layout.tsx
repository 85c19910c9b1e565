import type { ReactNode } from 'react';

const sections = ['News', 'Events', 'Community', 'K-pop groups', 'Soloists', 'Actors'];
const notices = ['About', 'How AI is used', 'Terms', 'Privacy', 'Contact', 'RSS'];

const Links = ({ names }: { names: readonly string[] }) => (
  <ul>
    {names.map((name) => (
      <li key={name}>
        <a href={`/${name}`}>{name}</a>
      </li>
    ))}
  </ul>
);

/** Every page's frame: as many links as a page of ours has around its words. */
export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <a href="/">Byeol</a>
          <nav>
            <Links names={sections} />
          </nav>
        </header>
        <main>{children}</main>
        <footer>
          <Links names={notices} />
        </footer>
      </body>
    </html>
  );
}
