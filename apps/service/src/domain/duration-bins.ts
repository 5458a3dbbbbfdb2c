/** The bins of the histogram of durations, in minutes, lower bound inclusive, upper exclusive (reading 5.10). */
export const durationBins = [
  { label: '0-10', lower_minutes: 0, upper_minutes: 10 },
  { label: '10-20', lower_minutes: 10, upper_minutes: 20 },
  { label: '20-30', lower_minutes: 20, upper_minutes: 30 },
  { label: '30-60', lower_minutes: 30, upper_minutes: 60 },
  { label: '60-120', lower_minutes: 60, upper_minutes: 120 },
  { label: '120+', lower_minutes: 120, upper_minutes: null },
] as const;
