const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/**
 * An address for each host of `url`, in their order. What names several (`postgres://me:secret@a:5432,b:5432/byeol`) is of a primary
 * and of who may take its place.
 */
export function hostsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = url.match(form) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host.trim() + rest) : [url];
}

/** The same, beginning with the one that is known to take writes. */
export const hostsFrom = (primary: string, url: string): string[] => [
  primary,
  ...hostsOf(url).filter((host) => host !== primary),
];
