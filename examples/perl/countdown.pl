#!/usr/bin/env perl
# toolwire-tool: 1
#
# Count down, step by step: a tool that keeps running, in Perl alone, without a library of Toolwire's.
#
#     toolwire session spawn launch examples/perl/countdown.pl from=5
#     toolwire session fetch launch --wait 2s
#
# While it counts, a number that is applied to it is where it goes on. At the end it asks, and waits for the answer
# where it stands. The lines that it reads and writes are those of chapter 22 of the specification.
use strict;
use warnings;
use IO::Select;
use JSON::PP;
use Time::HiRes 'time';

my $json = JSON::PP->new->utf8->canonical;
my $way  = $ENV{TOOLWIRE_CALL} // '';

if ($way eq 'stdin') {

    # It was started for one call: the host asks what it is.
    my $call = $json->decode(do { local $/; <STDIN> });
    my $answer = $call->{context}{action} eq 'describe' ? description() : { content => [], isError => JSON::PP::true };
    print $json->encode($answer), "\n";
    exit;
}
die "this is a tool: run it with `toolwire session spawn`\n" if $way ne 'lines';

sub description {
    my %tool = (
        name        => 'countdown',
        description => 'Count down, and ask before the launch. Apply a number to go on from there.',
        inputSchema => {
            type       => 'object',
            properties => {
                from => { type => 'integer', minimum => 1, maximum => 1000, default => 10 },
                step => { type => 'number', minimum => 0, maximum => 60, default => 1, description => 'seconds' },
            },
            additionalProperties => JSON::PP::false,
        },
        _meta => { 'dev.toolwire/actions' => [qw(spawn fetch apply abort)] },
    );
    return {
        content           => [ { type => 'text', text => "$tool{name}: $tool{description}" } ],
        structuredContent => { toolwire => 1, tools => [ \%tool ] },
    };
}

# Each line is one JSON object, written at once. Stdout is for lines alone; whatever else there is to say goes to
# stderr.
$| = 1;
sub say_line { print $json->encode({@_}), "\n" }

my ($buffer, $lines) = ('', IO::Select->new(\*STDIN));

# The next line of the host; nothing if none comes in that time, and {type => 'over'} if none will ever come.
# `<STDIN>` would read ahead, and then `select` would not see what waits.
sub next_line {
    my ($seconds) = @_;
    my $late = defined $seconds ? time + $seconds : undef;
    my $end;
    while (($end = index $buffer, "\n") < 0) {
        my $left = defined $late ? $late - time : undef;
        return if defined $left && $left < 0;
        next unless $lines->can_read($left);
        sysread(STDIN, $buffer, 65536, length $buffer) or return { type => 'over' };
    }
    return $json->decode(substr $buffer, 0, $end + 1, '');
}

# Both sides say hello, the host first.
my $hello = next_line();
die "this host speaks another version\n" unless grep { $_ == 1 } @{ $hello->{versions} };
say_line(type => 'hello', toolwire => 1, version => 1);

my $call   = next_line();
my $number = $call->{call};
my $given  = $call->{document}{tool}{arguments};
my ($from, $step) = ($given->{from} // 10, $given->{step} // 1);

sub emit { say_line(type => 'output', call => $number, blocks => [ { type => 'text', text => "$_[0]" } ]) }

sub finish {
    say_line(type => 'result', call => $number, envelope => { content => [ { type => 'text', text => $_[0] } ] });
    exit;
}

# What ends it: the host says so, or is gone.
sub look {
    my ($line) = @_;
    if ($line->{type} eq 'end' || $line->{type} eq 'over') {
        finish('the tanks are drained (' . ($line->{reason} // 'the host is gone') . ')');
    }
    return $line;
}

my $left = $from;
while ($left > 0) {
    my %progress = (type => 'progress', done => $from > $left ? $from - $left : 0, total => $from);
    say_line(type => 'event', call => $number, event => \%progress);
    emit($left);
    my $line = next_line($step);
    if (!$line) {
        $left--;
    }
    elsif (look($line)->{type} eq 'input') {
        my $input = $line->{input} // '';
        if   ($input =~ /^[1-9][0-9]{0,2}\z|^1000\z/) { $left = $input }
        else                                         { emit('a number from 1 to 1000 is needed') }
    }
}

my %question = (id => 'launch', text => 'Launch?', schema => { type => 'boolean' });
say_line(type => 'question', call => $number, question => \%question);
while (my $line = look(next_line())) {
    next unless $line->{type} eq 'answer' && $line->{id} eq 'launch';
    finish($line->{answer}{value} ? 'Lift-off.' : 'Scrubbed.');
}
