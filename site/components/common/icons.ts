import album from 'lucide-static/icons/album.svg?raw';
import arrowDown from 'lucide-static/icons/arrow-down.svg?raw';
import arrowLeft from 'lucide-static/icons/arrow-left.svg?raw';
import arrowUpRight from 'lucide-static/icons/arrow-up-right.svg?raw';
import badgeCheck from 'lucide-static/icons/badge-check.svg?raw';
import bell from 'lucide-static/icons/bell.svg?raw';
import cake from 'lucide-static/icons/cake.svg?raw';
import calendarDays from 'lucide-static/icons/calendar-days.svg?raw';
import calendarHeart from 'lucide-static/icons/calendar-heart.svg?raw';
import calendarPlus from 'lucide-static/icons/calendar-plus.svg?raw';
import check from 'lucide-static/icons/check.svg?raw';
import chevronDown from 'lucide-static/icons/chevron-down.svg?raw';
import chevronLeft from 'lucide-static/icons/chevron-left.svg?raw';
import chevronRight from 'lucide-static/icons/chevron-right.svg?raw';
import circleAlert from 'lucide-static/icons/circle-alert.svg?raw';
import circleCheck from 'lucide-static/icons/circle-check.svg?raw';
import circleDashed from 'lucide-static/icons/circle-dashed.svg?raw';
import clock from 'lucide-static/icons/clock.svg?raw';
import disc from 'lucide-static/icons/disc-3.svg?raw';
import ellipsis from 'lucide-static/icons/ellipsis.svg?raw';
import externalLink from 'lucide-static/icons/external-link.svg?raw';
import eye from 'lucide-static/icons/eye.svg?raw';
import eyeOff from 'lucide-static/icons/eye-off.svg?raw';
import handHeart from 'lucide-static/icons/hand-heart.svg?raw';
import heart from 'lucide-static/icons/heart.svg?raw';
import house from 'lucide-static/icons/house.svg?raw';
import languages from 'lucide-static/icons/languages.svg?raw';
import link from 'lucide-static/icons/link.svg?raw';
import logIn from 'lucide-static/icons/log-in.svg?raw';
import mapPin from 'lucide-static/icons/map-pin.svg?raw';
import messages from 'lucide-static/icons/messages-square.svg?raw';
import mic from 'lucide-static/icons/mic-vocal.svg?raw';
import minus from 'lucide-static/icons/minus.svg?raw';
import monitor from 'lucide-static/icons/monitor.svg?raw';
import moon from 'lucide-static/icons/moon.svg?raw';
import newspaper from 'lucide-static/icons/newspaper.svg?raw';
import play from 'lucide-static/icons/play.svg?raw';
import plus from 'lucide-static/icons/plus.svg?raw';
import radio from 'lucide-static/icons/radio.svg?raw';
import refresh from 'lucide-static/icons/refresh-cw.svg?raw';
import search from 'lucide-static/icons/search.svg?raw';
import send from 'lucide-static/icons/send.svg?raw';
import share from 'lucide-static/icons/share-2.svg?raw';
import sliders from 'lucide-static/icons/sliders-horizontal.svg?raw';
import star from 'lucide-static/icons/star.svg?raw';
import sun from 'lucide-static/icons/sun.svg?raw';
import ticket from 'lucide-static/icons/ticket.svg?raw';
import ticketCheck from 'lucide-static/icons/ticket-check.svg?raw';
import trendingDown from 'lucide-static/icons/trending-down.svg?raw';
import trendingUp from 'lucide-static/icons/trending-up.svg?raw';
import trophy from 'lucide-static/icons/trophy.svg?raw';
import tv from 'lucide-static/icons/tv.svg?raw';
import user from 'lucide-static/icons/user.svg?raw';
import wifiOff from 'lucide-static/icons/wifi-off.svg?raw';
import x from 'lucide-static/icons/x.svg?raw';

const raw = {
  album,
  arrowDown,
  arrowLeft,
  arrowUpRight,
  bell,
  badgeCheck,
  cake,
  calendarDays,
  calendarPlus,
  calendarHeart,
  check,
  chevronDown,
  chevronLeft,
  chevronRight,
  circleAlert,
  circleCheck,
  clock,
  circleDashed,
  disc,
  ellipsis,
  eye,
  eyeOff,
  externalLink,
  handHeart,
  heart,
  house,
  languages,
  link,
  logIn,
  mapPin,
  messages,
  mic,
  minus,
  monitor,
  moon,
  newspaper,
  play,
  plus,
  radio,
  refresh,
  search,
  send,
  share,
  sliders,
  star,
  trendingUp,
  trendingDown,
  ticketCheck,
  ticket,
  sun,
  trophy,
  tv,
  user,
  wifiOff,
  x,
};

export type IconName = keyof typeof raw;

/** The shapes inside each Lucide icon, without the outer `<svg>` and the licence comment (ISC, named in the README). */
export const iconShapes = Object.fromEntries(
  Object.entries(raw).map(([name, svg]) => [
    name,
    svg
      .replace(/^[\s\S]*?<svg[^>]*>/, '')
      .replace(/<\/svg>\s*$/, '')
      .replace(/\s*\n\s*/g, ''),
  ]),
) as Record<IconName, string>;
