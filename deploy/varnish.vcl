vcl 4.1;

# Varnish 7 in front of the site: keeps what is the same for everybody for as long as `CDN-Cache-Control` says, forgets it by
# `Cache-Tag` when the site says so, and never keeps what is somebody's.
#
#   varnishd -a :6081 -f /etc/varnish/byeol.vcl -s malloc,512m -p http_gzip_support=off
#
# `http_gzip_support=off` lets brotli through: what the site sends is compressed already. The environment of varnishd has PURGE_TOKEN, as that
# of the site has, whose PURGE_URL is varnish+http://<this address>:6081. The site's TRUSTED_PROXIES names this machine.

import directors;
import std;

# Whether an app answers with its database, and is not told to stop.
probe ready {
	.url = "/readyz";
	.interval = 1s;
	.timeout = 1s;
	.window = 3;
	.threshold = 2;
	.initial = 2;
}

# The process, not its database: without one the site still answers old pages, marked as such, and a clear 503 for the rest.
probe alive {
	.url = "/healthz";
	.interval = 2s;
	.timeout = 1s;
	.window = 3;
	.threshold = 2;
	.initial = 2;
}

# The apps, byeol@1 and byeol@2: more of them likewise. One that there is not is left out. The site says itself when something takes too long,
# which for a picture that an editor takes from elsewhere is after 50 s.
backend app1 { .host = "127.0.0.1"; .port = "4321"; .first_byte_timeout = 60s; .probe = ready; }
backend app2 { .host = "127.0.0.1"; .port = "4322"; .first_byte_timeout = 60s; .probe = ready; }
backend app1_alive { .host = "127.0.0.1"; .port = "4321"; .first_byte_timeout = 60s; .probe = alive; }
backend app2_alive { .host = "127.0.0.1"; .port = "4322"; .first_byte_timeout = 60s; .probe = alive; }

sub vcl_init {
	new apps_ready = directors.round_robin();
	apps_ready.add_backend(app1);
	apps_ready.add_backend(app2);
	new apps_alive = directors.round_robin();
	apps_alive.add_backend(app1_alive);
	apps_alive.add_backend(app2_alive);
	new site = directors.fallback();
	site.add_backend(apps_ready.backend());
	site.add_backend(apps_alive.backend());
}

sub vcl_recv {
	if (req.method == "PURGE") {
		call forget;
	}
	set req.backend_hint = site.backend();

	# The site takes them from us: a visitor's would stand in its log, and have it keep his traces. One who is before us and sets
	# his own does without these lines.
	unset req.http.X-Request-Id;
	unset req.http.traceparent;
	unset req.http.tracestate;

	# One copy for each coding that the site has, however it is asked for.
	if (req.http.Accept-Encoding ~ "\bbr\b" && req.http.Accept-Encoding !~ "\bbr\s*;\s*q=0(\.0*)?(,|\s|$)") {
		set req.http.Accept-Encoding = "br";
	} else if (req.http.Accept-Encoding ~ "\bgzip\b" && req.http.Accept-Encoding !~ "\bgzip\s*;\s*q=0(\.0*)?(,|\s|$)") {
		set req.http.Accept-Encoding = "gzip";
	} else {
		unset req.http.Accept-Encoding;
	}

	# Messages of channels are sent as they come.
	if (req.url ~ "^/api/community/channels/[0-9]+/stream(\?|$)") {
		return (pipe);
	}
	if (req.method != "GET" && req.method != "HEAD") {
		return (pass);
	}
	# Pages of one person, and what only the operator asks for.
	if (req.url ~ "^/(login|logout|profile|admin|test-embeds|calendar|healthz|readyz|metrics)(/|\?|$)") {
		return (pass);
	}
	# Whoever is signed in asks the API without us; it tells each what is theirs.
	if (req.url ~ "^/api(/|\?|$)" && (req.http.Authorization || req.http.Cookie ~ "(^|;\s*)(__Host-)?byeol_session=")) {
		return (pass);
	}
	# Everything else is the same for everybody: who asks is not told to the site.
	unset req.http.Cookie;
	unset req.http.Authorization;
	return (hash);
}

# PURGE with `Cache-Tag: article:7,feed`, or `*` for all.
sub forget {
	if (std.getenv("PURGE_TOKEN") !~ "^[!-~]{16,}$" || req.http.Authorization != "Bearer " + std.getenv("PURGE_TOKEN")) {
		return (synth(403));
	}
	if (req.http.Cache-Tag == "*") {
		# What has no tag, too: files, and pictures that were drawn.
		if (std.ban("obj.status != 0")) {
			return (synth(200));
		}
	} else if (req.http.Cache-Tag ~ "^[a-z]+(:[0-9]+)?(,[a-z]+(:[0-9]+)?)*$") {
		if (std.ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Cache-Tag, ",", "|") + ")(,|$)")) {
			return (synth(200));
		}
	} else {
		return (synth(400));
	}
	return (synth(500));
}

# The site has one name, and writes it without asking which one was asked for.
sub vcl_hash {
	hash_data(req.url);
	return (lookup);
}

sub vcl_pipe {
	# A connection that carries a stream carries nothing else.
	set bereq.http.Connection = "close";
}

sub vcl_backend_response {
	# Better what there is than an error.
	if (beresp.status >= 500 && bereq.is_bgfetch) {
		return (abandon);
	}
	if (beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "(?i)private|no-store"
		|| beresp.http.Vary ~ "(?i)cookie|authorization|\*" || bereq.http.Cookie || bereq.http.Authorization) {
		call keep_out;
	}
	if (beresp.http.CDN-Cache-Control ~ "max-age=[0-9]+") {
		set beresp.http.X-Stale-For = "0s";
		# What is left of its life, of which the site's own memory has had a part.
		set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s) - beresp.age;
		if (beresp.ttl <= 0s) {
			# The site makes it anew just now.
			set beresp.ttl = 1s;
		} else if (beresp.http.CDN-Cache-Control ~ "stale-while-revalidate=[0-9]+") {
			set beresp.http.X-Stale-For =
				regsub(beresp.http.CDN-Cache-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s");
		}
		# Past its life it is shown while it is fetched anew (X-Stale-For, vcl_hit), later only when the site is away.
		set beresp.grace = std.duration(beresp.http.X-Stale-For, 0s)
			+ std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
		# As bans look for it.
		set beresp.http.Cache-Tag = regsuball(beresp.http.Cache-Tag, "\s+", "");
		return (deliver);
	}
	# Files and pictures, whose life is the browser's too; errors in words are kept for a moment at most.
	if (beresp.http.Cache-Control !~ "(?i)public.*max-age=[1-9]") {
		call keep_out;
	}
	return (deliver);
}

# What only reads is asked of another app once, when the first is gone before its probe has noticed.
sub vcl_backend_error {
	if (bereq.retries == 0 && (bereq.method == "GET" || bereq.method == "HEAD")) {
		return (retry);
	}
}

# Not kept, and for a while nobody waits for another's answer to the same.
sub keep_out {
	set beresp.uncacheable = true;
	set beresp.ttl = 10s;
	set beresp.grace = 0s;
	return (deliver);
}

sub vcl_hit {
	# Older than it may be shown: fetched first, while the site is there.
	if (obj.ttl + std.duration(obj.http.X-Stale-For, 0s) < 0s && std.healthy(req.backend_hint) && req.restarts == 0) {
		set req.grace = 0s;
		return (restart);
	}
}

sub vcl_deliver {
	# It was fetched first, and the site failed: what there is is shown after all (stale-if-error).
	if (resp.status >= 500 && req.restarts == 1 && req.grace == 0s) {
		set req.grace = 10d;
		return (restart);
	}
	if (obj.hits > 0) {
		set resp.http.X-Cache = "HIT";
	} else {
		set resp.http.X-Cache = "MISS";
	}
	# Between the site and us.
	unset resp.http.Cache-Tag;
	unset resp.http.CDN-Cache-Control;
	unset resp.http.X-Stale-For;
	unset resp.http.X-Varnish;
	unset resp.http.Via;
}
