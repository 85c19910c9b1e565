/** The drawing of failures (look §7 error): a constellation whose joint is torn, 160 × 110. */
export const tornConstellation = {
  joints: 'M16 70 62 34M110 88 148 52',
  tear: 'm62 34 14 22 8-3 10 18 6-2 10 19',
  stars: [
    { x: 16, y: 70, r: 7, hollow: false },
    { x: 62, y: 34, r: 9, hollow: false },
    { x: 110, y: 88, r: 9, hollow: true },
    { x: 148, y: 52, r: 7, hollow: false },
  ],
} as const;
