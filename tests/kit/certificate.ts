import { generateKeyPairSync, sign } from 'node:crypto';

/** One value of DER, the form of certificates: its kind, its length, its bytes. */
function der(kind: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Uint8Array.of(kind, ...length), content]);
}

const [integer, bits, name, text, time, sequence, set] = [0x02, 0x03, 0x06, 0x0c, 0x17, 0x30, 0x31];

/** A key and a certificate for `localhost` that it signed itself, so that nobody trusts it. No program is needed for it. */
export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(sequence, der(name, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = der(
    sequence,
    der(name, Buffer.from('550403', 'hex')),
    der(text, Buffer.from('localhost')),
  );
  const subject = der(sequence, der(set, commonName));
  const validity = der(
    sequence,
    ...['000101000000Z', '491231235959Z'].map((moment) => der(time, Buffer.from(moment))),
  );
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(
    sequence,
    der(integer, Uint8Array.of(1)),
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    spki,
  );
  const signature = der(bits, Uint8Array.of(0), sign('sha256', body, privateKey));
  const base64 = der(sequence, body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
