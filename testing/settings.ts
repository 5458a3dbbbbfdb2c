import { SettingsError } from '@shiplog/server';

/** The sentences of the fault that settings are refused with; none where they are taken. */
export function settingsFaults(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
  return [];
}
