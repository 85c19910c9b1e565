/** What is told, from everything to failures alone. Without imports: settings are read before packages are installed. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
