import { SettingsError } from '@shiplog/server';

/** The error messages for refused settings; empty if they are accepted. */
export function settingsFaults(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
}
