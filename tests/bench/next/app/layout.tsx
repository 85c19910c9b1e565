import type { ReactNode } from 'react';

const sections = ['News', 'Events', 'Community', 'K-pop groups', 'Soloists', 'Actors'];
const notices = ['About', 'How AI is used', 'Terms', 'Privacy', 'Contact', 'RSS'];

/** Every page's frame: as many links as a page of ours has around its words. */
export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <a href="/">Byeol</a>
          <nav>
            <ul>
              {sections.map((section) => (
                <li key={section}>
                  <a href={`/${section}`}>{section}</a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <main>{children}</main>
        <footer>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>
                <a href={`/${notice}`}>{notice}</a>
              </li>
            ))}
          </ul>
        </footer>
      </body>
    </html>
  );
}
