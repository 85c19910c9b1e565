/**
 * An article as a Next.js site of the same database would show it: three statements, its words, its stars and what else there is about
 * the first of them. Rendered at each request by the server, without a component of the client.
 */
import postgres from 'postgres';

interface Article {
  title: string;
  summary: string;
  content: string;
  outlet: string;
  url: string;
  publishedAt: Date;
}

interface Star {
  id: number;
  name: string;
}

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10, onnotice: () => {} });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'Asia/Seoul' });

export const dynamic = 'force-dynamic';

export default async function ArticlePage({ params }: { params: Promise<{ id: string }> }) {
  const id = Number((await params).id);
  const [[article], stars] = await Promise.all([
    sql<Article[]>`
      select title, summary, content, outlet, original_url as url, published_at as "publishedAt"
      from articles join article_rewrites on article_id = id and language = 'en' where id = ${id}`,
    sql<Star[]>`
      select id, name from stars join article_stars on star_id = id
      where article_id = ${id} order by position`,
  ]);
  if (!article) return <p>There is no such article.</p>;
  const related = await sql<(Pick<Article, 'title' | 'summary' | 'publishedAt'> & { id: number })[]>`
    select r.article_id as id, title, summary, s.published_at as "publishedAt"
    from article_stars s join article_rewrites r on r.article_id = s.article_id and language = 'en'
    where star_id = ${stars[0]?.id ?? 0} and s.article_id <> ${id} order by s.published_at desc limit 6`;
  return (
    <>
      <title>{article.title}</title>
      <meta name="description" content={article.summary} />
      <article>
        <h1>{article.title}</h1>
        <p>
          {article.outlet} ·{' '}
          <time dateTime={article.publishedAt.toISOString()}>{day.format(article.publishedAt)}</time>
        </p>
        <ul>
          {stars.map((star) => (
            <li key={star.id}>
              <a href={`/star/${star.id}`}>{star.name}</a>
            </li>
          ))}
        </ul>
        <ul>
          {article.summary.split('\n').map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {article.content.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          <a href={article.url}>{article.outlet}</a>
        </p>
      </article>
      <section>
        <h2>More about {stars[0]?.name}</h2>
        <ul>
          {related.map((other) => (
            <li key={other.id}>
              <a href={`/article/${other.id}`}>
                <h3>{other.title}</h3>
                <p>{other.summary}</p>
                <time dateTime={other.publishedAt.toISOString()}>{day.format(other.publishedAt)}</time>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
