import { ApiError } from '../errors.ts';

/** What a file can be refused for, in the order in which it is looked at. */
export const pictureRefusals = {
  required: 'Choose a picture.',
  too_large: 'A picture may have at most 25 MB.',
  svg: 'SVG is a document that can run programs, not a photograph. Send JPEG, PNG, WebP, AVIF or GIF.',
  html: 'This is a web page, not a picture.',
  type: 'This is none of JPEG, PNG, WebP, AVIF and GIF.',
  hidden: 'Something else is hidden in this picture: a program, a page or an archive.',
  pixels: 'A picture may have at most 60 megapixels, an AVIF 24.',
  shape: 'A picture must have at least 16 pixels on each side and be at most 20 times as long as wide.',
  damaged: 'This picture is damaged and cannot be read.',
} as const;
export type PictureRefusal = keyof typeof pictureRefusals;

/** A file that is no picture that we take, with the reason in words. */
export class PictureRefused extends ApiError {
  readonly status: 400 | 413;
  constructor(reason: PictureRefusal) {
    super(reason, pictureRefusals[reason], 'file');
    this.status = reason === 'too_large' ? 413 : 400;
  }
}
