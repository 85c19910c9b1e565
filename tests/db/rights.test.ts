import { expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import postgres from 'postgres';
import { connection } from '#db/client.ts';
import { isUnreachable, whyUnreachable } from '#db/database-errors.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { StartupError } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { makeCertificate } from '#tests/kit/certificate.ts';
import { useDatabase } from '#tests/kit/database.ts';

const own = useDatabase();
const role = `limited-${process.pid}`;

/** An empty database and its address for a role that may only connect; `drop` removes both. */
async function limitedDatabase(): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `${new URL(own.url).pathname.slice(1)}_limited`;
  const address = Object.assign(new URL(own.url), { pathname: `/${name}` });
  await createDatabase(address.href);
  await connection().unsafe(`create role "${role}" login password 'limited'`);
  const url = Object.assign(new URL(address), { username: role, password: 'limited' }).href;
  const drop = async () => {
    await connection().unsafe(`drop database "${name}" with (force)`);
    await connection().unsafe(`drop role "${role}"`);
  };
  return { name, url, drop };
}

test('a role without the rights to create is refused in one sentence, and what that says to run is enough', async () => {
  const limited = await limitedDatabase();
  const owner = postgres(Object.assign(new URL(own.url), { pathname: `/${limited.name}` }).href, { max: 1 });
  const refusal = () =>
    migrateDatabase(limited.url).then(
      () => undefined,
      (error: unknown) => error,
    );
  try {
    const [database, schema] = [
      `GRANT CREATE ON DATABASE ${limited.name} TO "${role}";`,
      `GRANT USAGE, CREATE ON SCHEMA public TO "${role}";`,
    ];
    const sentence = (grants: string) =>
      new StartupError(
        `The role ${role} may not create what Byeol needs: as the owner of the database ${limited.name}, run in it ${grants}`,
      );
    expect(await refusal()).toEqual(sentence(`${database} ${schema}`));
    await owner.unsafe(database);
    expect(await refusal()).toEqual(sentence(schema));
    await owner.unsafe(schema);
    expect(await refusal()).toBeUndefined();
  } finally {
    await owner.end();
    await limited.drop();
  }
}, 120_000);

test('a database that makes things elsewhere or takes no writes is refused in a sentence, and nothing is left in it', async () => {
  const name = `${new URL(own.url).pathname.slice(1)}_elsewhere`;
  const { href, host } = Object.assign(new URL(own.url), { pathname: `/${name}` });
  await createDatabase(href);
  const sql = connection();
  try {
    await sql.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
    await expect(migrateDatabase(href)).rejects.toThrow(`The database at ${host}/${name} takes no writes: `);
    await sql.unsafe(`alter database "${name}" reset default_transaction_read_only`);
    const owner = postgres(href, { max: 1 });
    await owner`create schema app`;
    await owner.end();
    await sql.unsafe(`alter database "${name}" set search_path = app, public`);
    await expect(migrateDatabase(href)).rejects.toThrow(
      `What is made in the database ${name} goes to the schema app (its search_path is app, public): Byeol needs public.`,
    );
    await sql.unsafe(`alter database "${name}" set search_path = missing`);
    await expect(migrateDatabase(href)).rejects.toThrow(
      `What is made in the database ${name} goes to no schema (its search_path is missing): Byeol needs public.`,
    );
    await sql.unsafe(`alter database "${name}" set search_path = public`);
    await migrateDatabase(href);
  } finally {
    await sql.unsafe(`drop database "${name}" with (force)`);
  }
}, 120_000);

test('a database that two starts make at once is made once', async () => {
  const name = `${new URL(own.url).pathname.slice(1)}_twice`;
  const { href } = Object.assign(new URL(own.url), { pathname: `/${name}` });
  await Promise.all(Array.from({ length: 4 }, () => createDatabase(href)));
  const [row] = await connection()`select count(*)::int as count from pg_database where datname = ${name}`;
  expect(row?.count).toBe(1);
  await connection().unsafe(`drop database "${name}" with (force)`);
});

test('a wrong password, a database that is not there and a closed port are three sentences', async () => {
  const at = (change: Partial<URL>) => Object.assign(new URL(own.url), change).href;
  const { host, pathname } = new URL(own.url);
  await expect(migrateDatabase(at({ password: 'wrong' }))).rejects.toThrow(
    `The database at ${host}${pathname} refuses the user or the password: check DATABASE_URL.`,
  );
  await expect(migrateDatabase(at({ pathname: '/nowhere' }))).rejects.toThrow(
    `The server of ${host}/nowhere has no database of that name: create it, or check DATABASE_URL.`,
  );
  // Without a name the database that is called like the user is meant.
  await connection().unsafe(`create role "nowhere-${process.pid}" login password 'nowhere'`);
  try {
    const nameless = at({ pathname: '/', username: `nowhere-${process.pid}`, password: 'nowhere' });
    await expect(migrateDatabase(nameless)).rejects.toThrow(
      `DATABASE_URL names no database of the server ${host}: write its name behind the last slash.`,
    );
  } finally {
    await connection().unsafe(`drop role "nowhere-${process.pid}"`);
  }
  const nobody = await freePort();
  await expect(migrateDatabase(at({ port: String(nobody) }))).rejects.toThrow(
    `The database at 127.0.0.1:${nobody}${pathname} cannot be reached: check DATABASE_URL.`,
  );
});

test('a server without TLS is named as such where the address asks for it, and nothing else that breaks off is', async () => {
  const { host, pathname } = new URL(own.url);
  for (const tlsOption of ['sslmode=require', 'ssl=true', 'sslmode=verify-full']) {
    await expect(migrateDatabase(`${own.url}?${tlsOption}`)).rejects.toEqual(
      new StartupError(
        `The server of ${host}${pathname} refuses TLS, which DATABASE_URL asks for: switch it on there, or take ssl and sslmode out of DATABASE_URL.`,
      ),
    );
  }
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const address = closing.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await expect(migrateDatabase(`postgres://byeol@127.0.0.1:${port}/byeol?sslmode=require`)).rejects.toEqual(
    new StartupError(`The database at 127.0.0.1:${port}/byeol cannot be reached: check DATABASE_URL.`),
  );
  closing.close();
});

const portOf = (server: Server) => {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
};

test('a certificate that nobody trusts is refused before anything is migrated, whichever way TLS is asked for', async () => {
  const secure = createTlsServer(makeCertificate()).on('tlsClientError', () => {});
  // As PostgreSQL does: the wish for TLS comes first, in the clear.
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .once('data', () => {
        const inner = connect(portOf(secure) ?? 0, '127.0.0.1').on('error', () => {});
        socket.pipe(inner).pipe(socket);
        socket.write('S');
      }),
  );
  await Promise.all([secure, server].map((each) => once(each.listen(0, '127.0.0.1'), 'listening')));
  for (const mode of ['prefer', 'require', 'verify-full'])
    await expect(
      migrateDatabase(`postgres://byeol@127.0.0.1:${portOf(server)}/byeol?sslmode=${mode}`),
    ).rejects.toThrow(
      /^The certificate of 127\.0\.0\.1:\d+\/byeol is not trusted \(.*self.signed certificate\): with sslmode=verify-full in DATABASE_URL, set NODE_EXTRA_CA_CERTS=/,
    );
  server.close();
  secure.close();
}, 120_000);

test('what refuses a connection is told in its own words, with what to do about TLS', () => {
  const why = (code: string, said: string) => {
    const error = Object.assign(new Error(said), { code });
    expect(isUnreachable(error)).toBe(true);
    return whyUnreachable(error, 'postgres://byeol:secret@db/byeol');
  };
  const noEntry = 'no pg_hba.conf entry for host "10.0.0.2", user "byeol", database "byeol"';
  expect(why('28000', `${noEntry}, no encryption`)).toBe(
    `The database at db:5432/byeol refuses the connection, and says "${noEntry}, no encryption": it may want TLS; add sslmode=verify-full to DATABASE_URL.`,
  );
  expect(why('28000', `${noEntry}, SSL encryption`)).toBe(
    `The database at db:5432/byeol refuses the connection, and says "${noEntry}, SSL encryption": check DATABASE_URL.`,
  );
  expect(why('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate')).toBe(
    'The certificate of db:5432/byeol is not trusted (unable to verify the first certificate): with sslmode=verify-full in DATABASE_URL, set NODE_EXTRA_CA_CERTS=/path/ca.crt to the file of the CA that signed it.',
  );
  expect(why('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames: ")).toBe(
    'The certificate of db:5432/byeol is for another host: DATABASE_URL must name the server as its certificate does.',
  );
  expect(why('CERT_HAS_EXPIRED', 'certificate has expired')).toBe(
    'The certificate of db:5432/byeol has expired, or is of a time to come: renew it there, and compare the clocks.',
  );
});

test('a server that never answers, and one that is none of PostgreSQL, cannot be reached within ten seconds', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const web = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('a page') });
  const address = silent.address();
  const ports = [typeof address === 'object' ? address?.port : undefined, web.port];
  try {
    const refusals = await Promise.allSettled(
      ports.map((port) => migrateDatabase(`postgres://byeol:secret@127.0.0.1:${port}/byeol`)),
    );
    expect(refusals).toEqual(
      ports.map((port) => ({
        status: 'rejected',
        reason: new StartupError(
          `The database at 127.0.0.1:${port}/byeol cannot be reached: check DATABASE_URL.`,
        ),
      })),
    );
  } finally {
    silent.close();
    await web.stop(true);
  }
}, 120_000);

test('a database in another encoding than UTF8 is refused in one sentence', async () => {
  const name = `${new URL(own.url).pathname.slice(1)}_latin`;
  const { href } = Object.assign(new URL(own.url), { pathname: `/${name}` });
  await connection().unsafe(
    `create database "${name}" encoding 'LATIN1' locale 'C' locale_provider libc template template0`,
  );
  try {
    await expect(migrateDatabase(href)).rejects.toThrow(
      `The database ${name} is in LATIN1: Byeol needs UTF8; create it with ENCODING 'UTF8'.`,
    );
  } finally {
    await connection().unsafe(`drop database "${name}" with (force)`);
  }
});
