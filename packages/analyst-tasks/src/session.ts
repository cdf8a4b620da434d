export type Session = never;
