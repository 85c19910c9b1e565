/** Limits of §9 that more than one layer needs. */
export const limits = {
  feedPage: 20,
  related: 3,
  videos: 2,
  timelineFirst: 10,
  importantFrom: 8,
  starsPage: 20,
  starFilterPage: 50,
  starArticles: 10,
  titleLength: 60,
  channelsPage: 20,
  /** Events: lists by the calls of §7, side panel and filter chips of the calendar, and where "View All" and "Load More" show. */
  eventsList: 10,
  eventsRange: 50,
  calendarPanel: 5,
  filterChipNames: 2,
  viewAllFrom: 20,
  trending: 10,
  messagesPage: 50,
  messageLength: 500,
  /** Days for which a message may be sent again by its key and is stored once (decision S5). */
  messageKeyDays: 7,
  channelNews: 5,
  maxPage: 100,
} as const;
