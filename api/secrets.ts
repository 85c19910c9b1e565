import { hostsOf } from '#db/hosts.ts';

interface Keys {
  privateKey: string;
}

/** Of the settings those that are secrets, or have one in them. */
interface SecretSettings {
  admin: { password: string } | undefined;
  ai: { apiKey: string } | undefined;
  backupPassphrase: string | undefined;
  backupUrl: string | undefined;
  busUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  databaseReplicaUrls: readonly string[];
  databaseUrl: string | undefined;
  formerVapid: readonly Keys[];
  metricsToken: string | undefined;
  purge: { token: string } | undefined;
  smtpUrl: string | undefined;
  storage: { secretAccessKey: string } | undefined;
  vapid: Keys | undefined;
  youtubeApiKey: string | undefined;
}

/** Every secret of the settings, in full. */
export function secretsOf(settings: SecretSettings): string[] {
  const { admin, ai, backupUrl, busUrl, databaseUrl, formerVapid, purge, smtpUrl, storage, vapid } = settings;
  return [
    ...[databaseUrl, settings.databaseDirectUrl, ...settings.databaseReplicaUrls].flatMap((url) =>
      url === undefined ? [] : hostsOf(url).flatMap(passwordsIn),
    ),
    ...[busUrl, smtpUrl, backupUrl].flatMap(passwordsIn),
    ...[vapid, ...formerVapid].map((keys) => keys?.privateKey),
    admin?.password,
    ai?.apiKey,
    purge?.token,
    settings.backupPassphrase,
    settings.metricsToken,
    storage?.secretAccessKey,
    settings.youtubeApiKey,
  ].filter((secret) => secret !== undefined);
}

/** The password of an address, as it is and as it stands there. */
function passwordsIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
