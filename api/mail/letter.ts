import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';

/** What a letter says, in the order in which it says it. */
interface Letter {
  language: Lang;
  title: string;
  paragraphs: readonly string[];
  /** The one thing to do, with an absolute address of ours. */
  action?: { label: string; url: string };
  /** Small print. */
  note?: string;
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The same letter as plain text and as HTML: ink on paper, one button, nothing fetched from anywhere (look §1). */
export function writeLetter({ language, title, paragraphs, action, note }: Letter): {
  text: string;
  html: string;
} {
  const text = [
    title,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [note] : []),
  ]
    .concat(`${site.name} ${site.nameInKorean}`)
    .join('\n\n');
  const paragraph = (content: string, style: string) => `<p style="margin:0 0 16px;${style}">${content}</p>`;
  const button = action
    ? paragraph(
        `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:14px 20px;border-radius:8px;background:#0f121b;color:#ffffff;font-weight:700;text-decoration:none">${escapeHtml(action.label)}</a>`,
        '',
      ) + paragraph(escapeHtml(action.url), 'font-size:13px;color:#636771;word-break:break-all')
    : '';
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;background:#ffffff;color:#0f121b;font:16px/1.55 -apple-system,'Segoe UI',Roboto,'Apple SD Gothic Neo','Malgun Gothic','Noto Sans KR',sans-serif;word-break:keep-all;overflow-wrap:anywhere">
<div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="margin:0 0 24px;font-weight:700;letter-spacing:-.03em"><span style="color:${site.brandColor}">●</span> ${site.wordmark}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${escapeHtml(title)}</h1>
${paragraphs.map((each) => paragraph(escapeHtml(each), '')).join('\n')}
${button}
${note ? `<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dee0e4;font-size:13px;color:#636771">${escapeHtml(note)}</p>` : ''}
</div></body></html>
`;
  return { text: `${text}\n`, html };
}
