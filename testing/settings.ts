import { SettingsError } from '@shiplog/server';

/** The error messages for invalid settings; empty if the settings are valid. */
export function settingsFaults(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
}
