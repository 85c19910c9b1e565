type Server = ReturnType<typeof Bun.serve>;

export interface Listening {
  url: string;
  /** Ends what runs; `now` cuts it off. */
  stop(now?: boolean): Promise<void>;
}

/**
 * Listens at a host and port by `serve`. `localhost` means both loopback addresses: Bun takes only 127.0.0.1 for it,
 * browsers may try ::1 first. A machine without IPv6 is served at 127.0.0.1 alone.
 */
export function listen(
  host: string,
  port: number,
  serve: (hostname: string, port: number) => Server,
): Listening {
  const local = host === 'localhost';
  const first = serve(local ? '127.0.0.1' : host, port);
  const second = local ? attempt(() => serve('::1', first.port ?? port)) : undefined;
  return {
    url: local ? `http://localhost:${first.port}/` : first.url.href,
    async stop(now = false) {
      await Promise.all([first.stop(now), second?.stop(now)]);
    },
  };
}

function attempt(serve: () => Server): Server | undefined {
  try {
    return serve();
  } catch {
    return undefined;
  }
}
